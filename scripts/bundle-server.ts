/**
 * The first half of `npm run serve`: bundles the headless server. The second half is plain Node on the bundle, because a process with
 * the TypeScript loader takes a third more memory, and up to twice the processor time for a response.
 */
import { bundleNodeHost } from './bundle-host'

await bundleNodeHost()
