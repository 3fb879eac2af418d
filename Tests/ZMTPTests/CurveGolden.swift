import ZMTP

/// The bytes that both sides of one connection send under CURVE. Another implementation sealed
/// these bytes: libsodium through PyNaCl, according to 26/CurveZMQ.
///
/// All bytes of a random number are equal. Each byte of the client's first random number is 1, each
/// byte of the client's second random number is 2, and so on. The bytes of the server's random
/// numbers start at 0x11 in the same way. Each byte of the client's long-term secret key is 0xc1,
/// and each byte of the server's long-term secret key is 0x51.
enum CurveGolden {
  static let hello = bytes(
    """
    0548454c4c4f01000000000000000000000000000000000000000000000000000000000000000000000000000000
    00000000000000000000000000000000000000000000000000000000000000000000a4e09292b651c278b9772c56
    9f5fa9bb13d906b46ab68c9df9dc2b4409f8a209000000000000000147be9cdab563374effdf419c7ff1c8a6223f
    d2ff5cf243b5081a8ed633a8197133c9a0f7e4296b93cbf8cf8138a788fed8d2c47f637b9ded2b0a12ecdf01bcb1
    0fe3ce38dcb897a338c5ecd533cf65d9
    """)

  static let welcome = bytes(
    """
    0757454c434f4d451414141414141414141414141414141496294e6830c736dd5b7d7e62cd2f98fb7aa54cbb4b3e
    d359db308a105f1984de468815c680d36aac5da4d4328646e44c2eaa43e1202fbe74d8907e098afc1feccfefbe0a
    2bce95076b6359250d82ee8324e576a771017c92273995a77208e693b8c9b0e009a9901a10296b5fb46a61e7248c
    5f72fa01eedd899734b811dc4051c58114d460b7a09127ec559b1faefbc4
    """)

  static let initiate = bytes(
    """
    08494e4954494154451313131313131313131313131313131337a97c6721d12d1e0c1f79826797851d3cb87c7a08
    452f8a4648e83b71b611be74bad8a3c4d72065082657c225cd50006ecda3867024895ebbd3667efc8bde9ad3d412
    c51bf05682bad7a3a1b581e7ff0000000000000002a45839ab18f31635774be7d711fe2ffb37b11b98f840faf734
    0618fa5ed6c6776f75c8d22347770bfa69c5433380341a4162eb32946f83f7d85f69d6d4432eede95311b75eedb4
    2666d349c8b3e62619bb6300cc300c33b3f1f74d8286a90368d3bf7805f6d6ae4b3d3ef31e73ca3e94d955c6a5ce
    98f0c1d7f3493c95b6e7ebc4cf38d130b5645d260b49e8ae91c3bf91dbd313dfcd5936f3f829314143eb28934d3f
    3ff3c0
    """)

  static let ready = bytes(
    """
    05524541445900000000000000011279d17f7dc41c4da131c62718a8a096b1f29565126fbe02a429133fc15fe94a
    e15f5c295a9e
    """)

  static let messageOfClient = bytes(
    """
    074d4553534147450000000000000003519f895c639e251668462b90f8843ee658c46f50c0
    """)

  static let messageOfServer = bytes(
    """
    074d4553534147450000000000000002f51d6e3523bfb4c7bf602cc5a59769b573
    """)

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
