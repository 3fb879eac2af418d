// A conformance of the model's types is as public as they are.
public import ArgumentParser
public import MeetingModel

extension VocabularyFilterMethod: ExpressibleByArgument {}
extension PartialResultsStability: ExpressibleByArgument {}
