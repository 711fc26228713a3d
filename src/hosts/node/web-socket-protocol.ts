import type { IncomingHttpHeaders } from 'node:http'
import type { MessageListener, WebSocketConnection } from './web-socket'

/** A protocol that can carry a response over a WebSocket. */
export interface WebSocketProtocol {
  /** @returns the selected protocol; undefined if none is supported */
  selectProtocol(offered: readonly string[]): string | undefined
  /** @returns the status that rejects a handshake; undefined to accept it */
  rejection?(headers: IncomingHttpHeaders, offered: readonly string[]): number | undefined
  /** Called once when open. @returns the listener for the client's messages */
  begin(connection: WebSocketConnection, protocol: string): MessageListener
}

/** Whether the protocol encodes messages in Base64. */
export const inBase64 = (protocol: string): boolean => /(?:^|\.)base64\./.test(protocol)
/** Base64 protocols write channel numbers as ASCII digits. */
export const FIRST_DIGIT = 48
