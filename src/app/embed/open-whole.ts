/** Opens the frame's contents in the full page, in a new workspace. */

import { encodeScenario } from '../features/share/link'
import { firstChoice, holdings, scenarioFrom } from '../features/share/offer'
import { BASE } from '../state/base'
import { notify } from '../state/view'
import * as texts from './texts'

export const wholeAddress = (hash = ''): string => new URL(BASE, location.href).href + hash

export async function openWhole(): Promise<void> {
  let address = wholeAddress()
  try {
    const held = await holdings()
    const choice = firstChoice(held, '')
    address = wholeAddress(`#${encodeScenario(scenarioFrom(held, { ...choice, view: false }))}`)
  } catch {}
  // With `noopener`, `window.open` does not return whether it succeeded.
  if (window.open(address, '_blank') === null) notify(texts.noWindows, 'bad')
}
