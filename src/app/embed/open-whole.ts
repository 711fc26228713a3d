/** Opens the contents of the frame in the full page, in a new workspace. */
import { BASE } from '../base'
import { encodeScenario } from '../share/link'
import { firstChoice, holdings, scenarioFrom } from '../share/offer'
import { notify } from '../state/view'

export const wholeAddress = (hash = ''): string => new URL(BASE, location.href).href + hash

export async function openWhole(): Promise<void> {
  let address = wholeAddress()
  try {
    const held = await holdings()
    const choice = firstChoice(held, '')
    address = wholeAddress(`#${encodeScenario(scenarioFrom(held, { ...choice, view: false }))}`)
  } catch {
    // Without a server there is nothing to take along.
  }
  // With `noopener`, `window.open` does not return whether it succeeded.
  if (window.open(address, '_blank') === null)
    notify('This page does not let its frames open windows', 'bad')
}
