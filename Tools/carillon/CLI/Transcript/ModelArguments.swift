// A conformance must be as public as the model's types.
public import ArgumentParser
public import MeetingModel

extension VocabularyFilterMethod: ExpressibleByArgument {}
extension PartialResultsStability: ExpressibleByArgument {}
