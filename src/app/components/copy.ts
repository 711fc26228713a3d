import { notify } from '../state/view'

/** @param what begins a sentence: `The link` */
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
