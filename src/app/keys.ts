/** Shortcuts: how they are written, and which command a key press means. `Mod` is Ctrl, or Cmd on a Mac. */
import { entryOf } from '../engine/object'
import { COMMANDS, type Command } from './commands'

const mac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** `Mod+K` -> [`⌘`, `K`] or [`Ctrl`, `K`] */
export function keyNames(keys: string): string[] {
  const names: Record<string, string> = mac ? { Mod: '⌘', Shift: '⇧', Enter: '↵' } : { Mod: 'Ctrl', Enter: '↵' }
  return keys.split(/[+ ]/).map((key) => entryOf(names, key) ?? key)
}

/** @returns the command that the key press means, if any */
export function commandOf(event: KeyboardEvent): Command | undefined {
  const { target } = event
  const typing = target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  const digit = /^Digit(\d)$/.exec(event.code)?.[1]
  const key = digit ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key)
  const pressed = [
    ...(event.ctrlKey || event.metaKey ? ['Mod'] : []),
    ...(event.shiftKey && event.key !== '?' ? ['Shift'] : []),
    ...(event.altKey ? ['Alt'] : []),
    key,
  ].join('+')
  if (typing && !pressed.startsWith('Mod+')) return undefined
  return COMMANDS.find(({ keys }) => keys === pressed)
}
