/** `Mod` is Ctrl, or Cmd on a Mac. */
import { entryOf } from '../../engine/core/object'
import { type Command, registeredCommands } from './registry'

const mac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** `Mod+K` -> [`⌘`, `K`] or [`Ctrl`, `K`] */
export function keyNames(keys: string): string[] {
  const names: Record<string, string> = mac
    ? { Mod: '⌘', Shift: '⇧', Enter: '↵' }
    : { Mod: 'Ctrl', Enter: '↵' }
  return keys.split(/[+ ]/).map((key) => entryOf(names, key) ?? key)
}

/** Monaco uses an element with an EditContext where the browser has one. */
const TEXT_FIELDS =
  'input, textarea, select, [role=textbox], [role=searchbox], [role=combobox], .monaco-editor, .xterm'

/** Also in a shadow tree, or of an input method. */
function isTyping(event: KeyboardEvent): boolean {
  return event.isComposing || event.composedPath().some(takesText)
}

function takesText(target: EventTarget): boolean {
  const element = target as Partial<HTMLElement> & { editContext?: unknown }
  if (typeof element.matches !== 'function') return false
  return (
    element.isContentEditable === true ||
    Boolean(element.editContext) ||
    element.matches(TEXT_FIELDS)
  )
}

/** Keys without Ctrl or Cmd belong to the focused text field. */
export function commandOf(event: KeyboardEvent): Command | undefined {
  const pressed = pressedKeys(event)
  if (!pressed.startsWith('Mod+') && isTyping(event)) return undefined
  return registeredCommands().find(({ keys }) => keys === pressed)
}

/**
 * `Mod+Shift+1`, `Shift+F1`, `?`. Ignores Shift for characters that need it in some keyboard
 * layouts.
 */
function pressedKeys({ key, code, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): string {
  const mod = ctrlKey || metaKey
  const isCharacter = key.length === 1
  const digit = mod ? /^Digit(\d)$/.exec(code)?.[1] : undefined
  return [
    ...(mod ? ['Mod'] : []),
    ...(shiftKey && (mod || !isCharacter) ? ['Shift'] : []),
    ...(altKey ? ['Alt'] : []),
    digit ?? (isCharacter ? key.toUpperCase() : key),
  ].join('+')
}
