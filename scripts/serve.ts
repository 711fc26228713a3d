/** `npm run serve -- [flags]`: bundles the headless server and becomes it. */
import { pathToFileURL } from 'node:url'
import { bundleNodeHost } from './bundle-host'

await import(pathToFileURL(await bundleNodeHost()).href)
