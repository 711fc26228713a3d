/**
 * Bundles the server for `npm run serve`: the TypeScript loader would take a third more memory and
 * up to twice the processor time.
 */
import { bundleNodeHost } from './bundle-host'

await bundleNodeHost()
