export const CONSOLE = {
  as: 'as',
  in: 'in',
  past: ', current state',
  stop: 'Stop',
  requests: 'Show requests',
  clear: 'Clear',
  title: 'Console',
  command: 'Command',
  prompt: 'kubectl get pods',
  tab: 'Tab',
  complete: 'Tab: complete the line',
  run: 'Run',
} as const

/** Backquotes mark input. */
export const TERMINAL = {
  about: 'kubectl for this cluster, as the current user. Requests are logged.',
  tryPage:
    'Try `kubectl get pods -A`, `kubectl explain deployment.spec` or `kubectl get events -w` (Ctrl-C to stop).',
  tryNarrow: 'Try `get pods -A`, `explain deployment.spec` or `get events -w`.',
  keys: 'Tab completes, ↑ and Ctrl-R search history, Esc leaves the console, `help` lists all commands.',
  opened: (title: string) => `${title} opened in the editor. Save to continue, close to cancel.`,
} as const
