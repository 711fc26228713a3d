/** What a protocol over WebSockets is to the host: how it is agreed on, and who listens then. */
import type { IncomingHttpHeaders } from 'node:http'
import type { MessageListener, WebSocketConnection } from './web-socket'

/** A protocol over WebSockets that an answer can be told in. */
export interface WebSocketProtocol {
  /** The one that is spoken if a client offers these; undefined: none of them is. */
  selectProtocol(offered: readonly string[]): string | undefined
  /** The status that a client is refused with for its handshake; undefined: it is not. */
  rejection?(headers: IncomingHttpHeaders, offered: readonly string[]): number | undefined
  /** Called once, when the connection is open. @returns what hears what the client says */
  begin(connection: WebSocketConnection, protocol: string): MessageListener
}

/** Whether messages are text. */
export const inBase64 = (protocol: string): boolean => /(?:^|\.)base64\./.test(protocol)
/** Channels of such protocols are digits. */
export const FIRST_DIGIT = 48
