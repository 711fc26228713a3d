/**
 * Opens a frame for untrusted code; frame.ts lists what it cannot access. Chromium runs an
 * opaque-origin frame in a separate process with about 4 GB for objects. Code that uses more ends
 * the frame, not the page. The page gets no event for that, so it pings the frame. The code runs in
 * workers, so it cannot block the pings.
 */
import { frameText } from './frame'
import type { FromFrame, HandlerMessage, ToFrame } from './protocol'

export interface SandboxFrame {
  post(message: ToFrame): void
  /** Removes the frame with all its workers. */
  close(): void
}

const RETRY_INTERVAL_MS = 2_000
/** Counts unanswered pings, not time: a suspended tab sends no pings. */
const UNANSWERED = 3

/**
 * @param hear receives the messages of the frame
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
        // Its origin is none, which has no name.
        element.contentWindow?.postMessage('port', '*', [port2])
        resolve({ post: (message) => port1.postMessage(message), close })
      },
      { once: true },
    )
    document.body.append(element)
  })
}
