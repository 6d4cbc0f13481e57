# The user, the directory of the configuration, and services of an earlier version that run.
if command -v systemd-sysusers >/dev/null 2>&1; then
  systemd-sysusers keyward.conf
elif ! getent passwd keyward >/dev/null; then
  useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin keyward
fi
if getent group keyward >/dev/null; then
  chgrp keyward /etc/keyward
fi
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl try-restart keyward-plugin.service keyward-node-agent.service
fi
