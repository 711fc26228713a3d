/**
 * The first half of `npm run serve`: bundles the headless server. The second half runs plain
 * Node.js. The TypeScript loader would take a third more memory and up to twice the processor time.
 */
import { bundleNodeHost } from './bundle-host'

await bundleNodeHost()
