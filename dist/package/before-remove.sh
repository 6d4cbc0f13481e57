# Only on removal: an upgrade restarts what runs.
if [ "${1:-}" = remove ] || [ "${1:-}" = 0 ]; then
  if [ -d /run/systemd/system ]; then
    systemctl --no-reload disable --now keyward-plugin.service keyward-node-agent.service
  elif command -v systemctl >/dev/null 2>&1; then
    systemctl --no-reload disable keyward-plugin.service keyward-node-agent.service
  fi
fi
