"""The messages of package carillon.v1, generated from proto/carillon/v1 by protoc. Do not edit."""
