# Sourced by ./mvnw and the launchers. Sets JAVA_HOME to a JDK 25, or ends with one clear sentence.
# needed_tool says what it must have: java to run Keyward, javac to build it.

wanted_jdk=25

jdk_feature() {
  [ -x "$1/bin/${needed_tool:-java}" ] && [ -f "$1/release" ] || return 0
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

find_jdk() {
  for candidate in "${JAVA_25_HOME:-}" "${JAVA_HOME_25_X64:-}" "${JAVA_HOME:-}" \
    /usr/lib/jvm/*25* /opt/*jdk*25* /opt/java/openjdk /usr/local/*jdk*25* \
    "${HOME:-/}"/.jdks/*25* "${HOME:-/}"/.sdkman/candidates/java/25* \
    /Library/Java/JavaVirtualMachines/*25*/Contents/Home; do
    if [ -n "$candidate" ] && [ "$(jdk_feature "$candidate")" = "$wanted_jdk" ]; then
      printf %s "$candidate"
      return 0
    fi
  done
  return 1
}

if JAVA_HOME=$(find_jdk); then
  export JAVA_HOME
else
  echo "${0##*/}: no JDK $wanted_jdk found; install one (for example Temurin $wanted_jdk) or set JAVA_25_HOME to it" >&2
  exit 2
fi
