/** `caBundle`, decoded as in client-go's transport. */

import { bytesOfBase64 } from '../schema/base64'
import { memoize } from '../schema/memoize'
import { certificateProblem } from '../validation/certificate-structure'
import { type PemBlock, pemBlocks } from '../validation/pem'

/** In PEM. */
export type Bundle = { certificates: string } | { problem: string }

const PROBLEM = 'unable to load root certificates'

/** Of the cache, in characters and bundles. */
const LONGEST = 64 * 1024
const MOST_BUNDLES = 100

/** Skips unreadable certificates. @param caBundle PEM in base64, not empty */
export const certificatesIn = memoize(parsed, LONGEST, MOST_BUNDLES)

function parsed(caBundle: string): Bundle {
  const { blocks, hasRest } = pemBlocks(new TextDecoder().decode(bytesOfBase64(caBundle)))
  const checked = blocks
    .filter(isCertificate)
    .map((block) => ({ block, problem: certificateProblem(bytesOfBase64(block.contents)) }))
  const found = checked.filter(({ problem }) => problem === undefined)
  if (found.length > 0) return { certificates: found.map(({ block }) => textOf(block)).join('') }
  const [first] = checked
  if (first !== undefined)
    return { problem: `${PROBLEM}: failed to parse certificate: ${first.problem}` }
  return {
    problem: `${PROBLEM}: ${hasRest ? 'unable to parse bytes as PEM block' : 'no valid certificate authority data seen'}`,
  }
}

/** @returns undefined for a usable or absent bundle */
export function bundleProblem(caBundle: string | undefined): string | undefined {
  if (!caBundle) return undefined
  const bundle = certificatesIn(caBundle)
  return 'problem' in bundle ? bundle.problem : undefined
}

const isCertificate = ({ label, hasHeaders }: PemBlock): boolean =>
  label === 'CERTIFICATE' && !hasHeaders

function textOf({ label, contents }: PemBlock): string {
  const lines = contents.match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}
