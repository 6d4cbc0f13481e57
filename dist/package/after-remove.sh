# dpkg removes the configuration only if it is told to purge; rpm never does.
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
case ${1:-} in
  remove | purge | 0)
    # The service leaves its directory behind, with a lock file for each socket. A plugin that runs as a static
    # pod may use the same directory: its sockets and their locks stay.
    for lock in /run/keyward/.*.lock; do
      socket=${lock#/run/keyward/.}
      [ -S "/run/keyward/${socket%.lock}" ] || rm -f "$lock"
    done
    rmdir /run/keyward 2>/dev/null || true
    ;;
esac
if [ "${1:-}" = purge ] && [ -d /etc/keyward ]; then
  for file in /etc/keyward/*.yaml; do
    if grep -qs keystore "$file"; then
      # It may be the only copy of a key that stored data needs.
      echo "keyward: /etc/keyward is kept: ${file##*/} names a key store; delete the directory when no stored data needs its keys" >&2
      exit 0
    fi
  done
  rm -rf /etc/keyward
fi
if [ "${1:-}" = purge ] && command -v userdel >/dev/null 2>&1 && getent passwd keyward >/dev/null; then
  userdel keyward
fi
