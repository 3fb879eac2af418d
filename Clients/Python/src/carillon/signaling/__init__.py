"""The messages of package carillon.signaling, generated from proto/carillon/signaling by protoc. Do not edit."""
