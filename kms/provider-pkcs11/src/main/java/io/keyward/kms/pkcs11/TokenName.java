package io.keyward.kms.pkcs11;

/// How a token is told from others. Labels are given by people and may occur twice.
record TokenName(String label, String serial) {}
