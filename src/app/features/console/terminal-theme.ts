import type { ITheme } from '@xterm/xterm'

const TOKENS = {
  background: 'panel',
  foreground: 'text',
  cursor: 'accent',
  cursorAccent: 'panel',
  selectionBackground: 'code-selection',
  black: 'text',
  red: 'bad',
  green: 'good',
  yellow: 'warn',
  blue: 'accent',
  magenta: 'code-word',
  cyan: 'owner-teal',
  white: 'soft',
  brightBlack: 'faint',
  brightRed: 'bad',
  brightGreen: 'good',
  brightYellow: 'warn',
  brightBlue: 'accent',
  brightMagenta: 'code-word',
  brightCyan: 'owner-teal',
  brightWhite: 'text',
} satisfies Partial<Record<keyof ITheme, string>>

export function terminalTheme(): ITheme {
  const probe = document.createElement('span')
  probe.hidden = true
  probe.style.setProperty('forced-color-adjust', 'none')
  document.body.append(probe)
  const colors = Object.entries(TOKENS).map(([name, token]) => {
    probe.style.color = `var(--${token})`
    return [name, getComputedStyle(probe).color]
  })
  probe.remove()
  return Object.fromEntries(colors) as ITheme
}
