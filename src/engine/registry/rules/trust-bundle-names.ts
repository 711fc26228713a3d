/** How bundles of certificates are named (texts recorded). */
import { dnsSubdomain } from './names'

/**
 * @param signer in whose name the bundle is, `''` if in nobody's: begins the name
 * @param prefixOnly more is added to the name
 */
export function trustBundleNameProblems(
  name: string,
  signer: string,
  prefixOnly: boolean,
): string[] {
  if (signer === '')
    return name.includes(':')
      ? ['ClusterTrustBundle without signer name must not have ":" in its name']
      : dnsSubdomain(name, prefixOnly)
  const prefix = `${signer.replaceAll('/', ':')}:`
  if (!name.startsWith(prefix))
    return [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`]
  return dnsSubdomain(name.slice(prefix.length), prefixOnly)
}
