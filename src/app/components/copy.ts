/** Copies a text and says so. */
import { notify } from '../state/view'

export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify(`${what} copied`)
  } catch {
    notify(`The browser did not let ${what} be copied: select it and copy by hand`, 'bad')
  }
}
