/**
 * What goes over the wire between the development server and a tab: heads as JSON texts, bodies as binary pieces that begin with the
 * request's number (four bytes, big-endian).
 *
 *   server → tab   {"kind":"request","id":7,"method":"GET","target":"/api/v1/pods","headers":{…}}   [0 0 0 7 | whole body]
 *   tab → server   {"kind":"response","id":7,"status":200,"headers":{…}}   [0 0 0 7 | piece] …   {"kind":"end","id":7}
 */

export interface RequestHead {
  kind: 'request'
  id: number
  method: string
  /** Path and query. */
  target: string
  headers: Record<string, string>
  /** A binary piece with the whole body follows. */
  body: boolean
}

export type FromServer = RequestHead | { kind: 'cancel'; id: number }

export type FromTab =
  | { kind: 'response'; id: number; status: number; headers: Record<string, string> }
  | { kind: 'end'; id: number }
  /** The answer broke off, or there is none. */
  | { kind: 'failed'; id: number; message: string }

const NUMBER_BYTES = 4

export function pieceOf(id: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const piece = new Uint8Array(NUMBER_BYTES + bytes.length)
  new DataView(piece.buffer).setUint32(0, id)
  piece.set(bytes, NUMBER_BYTES)
  return piece
}

export function readPiece(piece: Uint8Array): { id: number; bytes: Uint8Array } {
  return { id: new DataView(piece.buffer, piece.byteOffset).getUint32(0), bytes: piece.subarray(NUMBER_BYTES) }
}

/** Close code of a wire that another tab took over: nothing is to be done about it before somebody looks at this tab. */
export const REPLACED = 4001

/** Where the tab finds the server's end, below the page's base path: the token by HTTP, the wire by WebSocket. */
export const BRIDGE_PATH = 'bridge'

/** What the tab is told before it connects. */
export interface BridgeOffer {
  /** Shows that who connects could read this answer: pages of other sites cannot. */
  token: string
}
