// The enumerations of the control API's transcription settings.

/// `TranscribeLanguageCode`.
enum TranscribedLanguage: String, CaseIterable {
  case americanEnglish = "en-US"
  case britishEnglish = "en-GB"
  case americanSpanish = "es-US"
  case canadianFrench = "fr-CA"
  case french = "fr-FR"
  case australianEnglish = "en-AU"
  case italian = "it-IT"
  case german = "de-DE"
  case brazilianPortuguese = "pt-BR"
  case japanese = "ja-JP"
  case korean = "ko-KR"
  case chinese = "zh-CN"
  case thai = "th-TH"
  case hindi = "hi-IN"
}

/// `TranscribeRegion`. The region appears in status events, and has no other effect.
enum TranscriptionRegion: String, CaseIterable {
  case usEast2 = "us-east-2"
  case usEast1 = "us-east-1"
  case usWest2 = "us-west-2"
  case apNortheast2 = "ap-northeast-2"
  case apSoutheast2 = "ap-southeast-2"
  case apNortheast1 = "ap-northeast-1"
  case caCentral1 = "ca-central-1"
  case euCentral1 = "eu-central-1"
  case euWest1 = "eu-west-1"
  case euWest2 = "eu-west-2"
  case saEast1 = "sa-east-1"
  case usGovWest1 = "us-gov-west-1"
  case auto
}

/// `TranscribeContentIdentificationType` and `TranscribeContentRedactionType`.
enum TranscriptionPIIType: String, CaseIterable {
  case personal = "PII"
}

/// `TranscribeMedicalContentIdentificationType`.
enum TranscriptionPHIType: String, CaseIterable {
  case health = "PHI"
}

/// `TranscribeMedicalLanguageCode`.
enum MedicalLanguage: String, CaseIterable {
  case americanEnglish = "en-US"
}

/// `TranscribeMedicalSpecialty`.
enum MedicalSpecialty: String, CaseIterable {
  case primaryCare = "PRIMARYCARE"
  case cardiology = "CARDIOLOGY"
  case neurology = "NEUROLOGY"
  case oncology = "ONCOLOGY"
  case radiology = "RADIOLOGY"
  case urology = "UROLOGY"
}

/// `TranscribeMedicalType`.
enum MedicalSpeech: String, CaseIterable {
  case conversation = "CONVERSATION"
  case dictation = "DICTATION"
}

/// `TranscribeMedicalRegion`. The region appears in status events, and has no other effect.
enum MedicalRegion: String, CaseIterable {
  case usEast1 = "us-east-1"
  case usEast2 = "us-east-2"
  case usWest2 = "us-west-2"
  case apSoutheast2 = "ap-southeast-2"
  case caCentral1 = "ca-central-1"
  case euWest1 = "eu-west-1"
  case auto
}
