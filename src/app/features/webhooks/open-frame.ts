/**
 * Opens a sandbox frame (frame.ts). Chromium gives it a process of about 4 GB; exceeding it ends
 * the frame without an event, so the page pings it. Workers run the code and cannot block pings.
 */
import { frameText } from './frame'
import type { FromFrame, HandlerMessage, ToFrame } from './protocol'

export interface SandboxFrame {
  post(message: ToFrame): void
  /** Removes the frame and its workers. */
  close(): void
}

const RETRY_INTERVAL_MS = 2_000
/** Counts missing pongs, not time: a suspended tab sends no pings. */
const UNANSWERED = 3

/**
 * @param hear receives messages
 * @param ended called when the browser killed the frame
 */
export function openFrame(
  title: string,
  hear: (message: HandlerMessage) => void,
  ended: () => void,
): Promise<SandboxFrame> {
  return new Promise((resolve) => {
    const element = document.createElement('iframe')
    element.setAttribute('sandbox', 'allow-scripts')
    element.title = title
    element.hidden = true
    element.srcdoc = frameText()
    element.addEventListener(
      'load',
      () => {
        const { port1, port2 } = new MessageChannel()
        let unanswered = 0
        const close = () => {
          clearInterval(retrying)
          port1.close()
          element.remove()
        }
        const retrying = setInterval(() => {
          if (unanswered++ < UNANSWERED) port1.postMessage({ kind: 'there?' } satisfies ToFrame)
          else {
            close()
            ended()
          }
        }, RETRY_INTERVAL_MS)
        port1.onmessage = ({ data }: MessageEvent<FromFrame>) => {
          unanswered = 0
          if (data.kind !== 'here') hear(data)
        }
        // An opaque origin has no name.
        element.contentWindow?.postMessage('port', '*', [port2])
        resolve({ post: (message) => port1.postMessage(message), close })
      },
      { once: true },
    )
    document.body.append(element)
  })
}
