/** Copies a text and shows a notice. */
import { notify } from '../state/view'

/** @param what as a sentence begins: `The link` */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify(`${what} copied`)
  } catch {
    notify(
      `${what} could not be copied, as the browser did not allow it: select it and copy by hand`,
      'bad',
    )
  }
}
