/** The texts of the sheets of small windows, in English. */
export const words = Object.freeze({ more: "More", close: "Close" });
