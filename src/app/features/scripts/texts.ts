export const OUTPUT = {
  about: 'Scripts are TypeScript with plain fetch. Each runs in its own worker.',
  none: 'No output yet',
  openSample: 'Open a sample script',
  running: 'running',
  finished: 'finished',
  stop: 'Stop',
  clear: 'Clear',
  title: 'Script output',
  dropped: (lines: number) => `${lines.toLocaleString('en')} older lines dropped.`,
} as const
