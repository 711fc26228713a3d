/**
 * Shared links: the state of the cluster and of the editors, compressed into the part of the address behind `#`, which no
 * server ever sees. `#k1=` names the format; a later format gets another number, and this one is still read.
 */
import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate'
import type { KubeObject } from '../../engine/object'
import type { EditorTab } from '../state/editors'

export interface Scenario {
  objects: KubeObject[]
  tabs: Pick<EditorTab, 'title' | 'language' | 'text'>[]
}

const MARK = 'k1='
/** Longer addresses do not survive chat programs and mail. */
export const COMFORTABLE_LENGTH = 2000

/** The address's hash without `#`. */
export function encodeScenario(scenario: Scenario): string {
  return MARK + toBase64Url(deflateSync(strToU8(JSON.stringify(scenario)), { level: 9 }))
}

/** @returns undefined if the hash is no scenario @throws Error saying what is wrong with one that cannot be read */
export function decodeScenario(hash: string): Scenario | undefined {
  const text = hash.replace(/^#/, '')
  if (!/^k\d+=/.test(text)) return undefined
  if (!text.startsWith(MARK)) throw new Error('this link was made by a newer version of the page: reload it to get that version')
  try {
    const scenario = JSON.parse(strFromU8(inflateSync(fromBase64Url(text.slice(MARK.length))))) as Scenario
    if (!Array.isArray(scenario.objects) || !Array.isArray(scenario.tabs)) throw new Error('parts are missing')
    return scenario
  } catch (error) {
    throw new Error(
      `this link is damaged or was cut short (${error instanceof Error ? error.message : String(error)}): ask for it again, or for the file`,
    )
  }
}

function toBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function fromBase64Url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0))
}
