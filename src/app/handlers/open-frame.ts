/** Opens a frame of its own for text from anywhere: see frame.ts for what is kept out of it. */
import { frameText } from './frame'
import type { FromFrame, ToFrame } from './protocol'

export interface SandboxFrame {
  say(message: ToFrame): void
  /** Takes the frame away, and with it every worker in it, whatever they do. */
  close(): void
}

/** @param hear gets what comes out of the frame */
export function openFrame(title: string, hear: (message: FromFrame) => void): Promise<SandboxFrame> {
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
        port1.onmessage = ({ data }: MessageEvent<FromFrame>) => hear(data)
        // Its origin is none, which has no name.
        element.contentWindow?.postMessage('port', '*', [port2])
        const close = () => {
          port1.close()
          element.remove()
        }
        resolve({ say: (message) => port1.postMessage(message), close })
      },
      { once: true },
    )
    document.body.append(element)
  })
}
