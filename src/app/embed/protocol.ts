/** See docs/embedding.md. */
import {
  maybe,
  oneOf,
  record,
  type Shape,
  ShapeError,
  text,
  type ValueOf,
  whole,
} from '../features/share/shapes'
import * as texts from './texts'

/** The value of `kubetab` in every message, both ways. */
export const PROTOCOL = 1

const NAME = text(300)
/** The server's size limit of request bodies. */
const BODY = text(3 << 20)

const head = record({ kubetab: whole(PROTOCOL, PROTOCOL), id: text(100), command: text(20) })

const COMMANDS = {
  ready: record({}),
  load: record({ scenario: text(4 << 20) }),
  open: record({ title: text(100), text: BODY }),
  apply: record({ manifest: BODY }),
  request: record({
    method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path: text(8192),
    body: maybe(BODY),
    contentType: maybe(NAME),
    accept: maybe(NAME),
    as: maybe(NAME),
  }),
  show: record({
    panel: maybe(NAME),
    object: maybe(record({ group: text(253), resource: NAME, namespace: text(63), name: NAME })),
  }),
  theme: record({ theme: oneOf(['light', 'dark', 'system']) }),
  reset: record({}),
} satisfies Record<string, Shape<unknown>>

export type CommandName = keyof typeof COMMANDS
export type Arguments<Name extends CommandName> = ValueOf<(typeof COMMANDS)[Name]>
export type Command = {
  [Name in CommandName]: { id: string; command: Name; args: Arguments<Name> }
}[CommandName]

export type CommandResponse = { kubetab: typeof PROTOCOL; id: string } & (
  | { ok: true; result: unknown }
  | { ok: false; error: string }
)

export interface ChangeEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  kind: string
  namespace: string
  name: string
  revision: number
}

export type FrameEvent =
  | { event: 'ready'; release: string; panels: readonly string[] }
  | {
      event: 'request'
      method: string
      path: string
      who: string
      status: number
      milliseconds: number
    }
  | { event: 'change'; revision: number; changes: ChangeEvent[] }
  | { event: 'lesson-step'; lesson: string; done: number; steps: number }

/** Other messages of the window are ignored. */
export const isMeant = (data: unknown): data is object =>
  typeof data === 'object' && data !== null && 'kubetab' in data

/** @returns the id for the response, if it is valid */
export function idOf(data: object): string | undefined {
  const { id } = data as { id?: unknown }
  return typeof id === 'string' && id.length <= 100 ? id : undefined
}

/** @throws ShapeError naming the invalid member */
export function commandOf(data: unknown): Command {
  const { id, command } = head(data, '')
  if (!Object.hasOwn(COMMANDS, command))
    throw new ShapeError(texts.noCommand(Object.keys(COMMANDS)))
  const name = command as CommandName
  return { id, command: name, args: COMMANDS[name](data, '') } as Command
}
