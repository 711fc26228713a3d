/**
 * Opens a frame of its own for text from anywhere: see frame.ts for what is kept out of it. Chromium gives a frame without an origin a
 * process of its own, and that process some 4 GB for objects: text that takes more ends its frame and not the page. Nothing tells the
 * page of that, so it asks every now and then whether the frame is there; what runs in the frame cannot keep it from answering, for
 * that is in workers.
 */
import { frameText } from './frame'
import type { FromFrame, HandlerMessage, ToFrame } from './protocol'

export interface SandboxFrame {
  post(message: ToFrame): void
  /** Takes the frame away, and with it every worker in it, whatever they do. */
  close(): void
}

const RETRY_INTERVAL_MS = 2_000
/** Questions without an answer, not time: a tab that was put to sleep has asked none meanwhile. */
const UNANSWERED = 3

/**
 * @param hear gets what comes out of the frame
 * @param ended is called when the frame is not there any more, though nobody took it away
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
