import { notify } from '../state/view'
import * as texts from './texts'

/** @param what begins a sentence: `The link` */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify(texts.copied(what))
  } catch {
    notify(texts.notCopied(what), 'bad')
  }
}
