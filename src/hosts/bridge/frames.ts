/**
 * Protocol between the development server and a tab. Heads are JSON; bodies are binary messages
 * that begin with the request's id (four bytes, big-endian).
 *
 *     server → tab   {"kind":"request","id":7,"method":"GET","target":"/api/v1/pods","headers":{…}}
 *                    [0 0 0 7 | whole body]
 *     tab → server   {"kind":"response","id":7,"status":200,"headers":{…}}
 *                    [0 0 0 7 | piece] …
 *                    {"kind":"end","id":7}
 */

export interface RequestHead {
  kind: 'request'
  id: number
  method: string
  /** Path and query. */
  target: string
  headers: Record<string, string>
  /** A binary message with the whole body follows. */
  body: boolean
}

export type FromServer = RequestHead | { kind: 'cancel'; id: number }

export type FromTab =
  | { kind: 'response'; id: number; status: number; headers: Record<string, string> }
  | { kind: 'end'; id: number }
  /** The response ended early, or the request failed. */
  | { kind: 'failed'; id: number; message: string }

const NUMBER_BYTES = 4

export function pieceOf(id: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const piece = new Uint8Array(NUMBER_BYTES + bytes.length)
  new DataView(piece.buffer).setUint32(0, id)
  piece.set(bytes, NUMBER_BYTES)
  return piece
}

export class FrameError extends Error {}

/** @throws FrameError */
export function readPiece(piece: Uint8Array): { id: number; bytes: Uint8Array } {
  if (piece.length < NUMBER_BYTES) throw new FrameError('a piece without the number of its request')
  return {
    id: new DataView(piece.buffer, piece.byteOffset).getUint32(0),
    bytes: piece.subarray(NUMBER_BYTES),
  }
}

/** Validates every member, because any page may have sent it. @throws FrameError */
export function readFrame(text: string): FromTab {
  const value = parsed(text)
  const { kind, id, status, headers, message } = (value ?? {}) as Partial<Record<string, unknown>>
  if (typeof id !== 'number') throw new FrameError('a frame without the number of its request')
  if (kind === 'end') return { kind, id }
  if (kind === 'failed') return { kind, id, message: String(message) }
  if (kind !== 'response') throw new FrameError('a frame of no known kind')
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    throw new FrameError('a status that is none')
  return { kind, id, status, headers: textsOf(headers) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new FrameError('the frame is not JSON')
  }
}

/** Validates names and values (RFC 9110, sections 5.1 and 5.5). */
function textsOf(headers: unknown): Record<string, string> {
  if (typeof headers !== 'object' || headers === null)
    throw new FrameError('a head without headers')
  const pairs = Object.entries(headers)
  for (const [name, value] of pairs) {
    if (
      !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) ||
      typeof value !== 'string' ||
      !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    )
      throw new FrameError('headers that are none')
  }
  return Object.fromEntries(pairs) as Record<string, string>
}

/** Close code after an invalid frame. */
export const UNREADABLE = 4002

/** Close code when another tab connected. This tab reconnects only when focused. */
export const REPLACED = 4001

/** Path below the page's base path: the token over HTTP, the connection over WebSocket. */
export const BRIDGE_PATH = 'bridge'

export interface BridgeOffer {
  /** Proves that the client could read this response, which pages of other sites cannot. */
  token: string
}
