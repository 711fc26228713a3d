import type { Connection } from '../../hosts/page/connect'
import { BASE } from './base'
import { useUpdate } from './update'

/** Waits until the page's startup requests are done. */
const REST_MILLISECONDS = 3000
const LOOK_MILLISECONDS = 60 * 60 * 1000
const BUILD = /<meta name="build" content="([\w-]+)"/

/** Empty while developing. */
const own = document.querySelector<HTMLMetaElement>('meta[name=build]')?.content ?? ''

let looked = Date.now()

/** Checks for a newer version hourly and when a new worker arrives. Caches this one when idle. */
export function followVersions(connection: Connection): void {
  if (own === '') return
  setTimeout(() => atRest(() => connection.cachePage(own)), REST_MILLISECONDS)
  // Another tab may have installed a new worker, and the site may no longer have this build's
  // chunks.
  navigator.serviceWorker?.addEventListener('controllerchange', () => void look())
  void navigator.serviceWorker?.ready.then((registration) =>
    registration.addEventListener('updatefound', () => void look()),
  )
  addEventListener('vite:preloadError', () => void look())
  setInterval(() => void look(), LOOK_MILLISECONDS)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && Date.now() - looked > LOOK_MILLISECONDS / 2) void look()
  })
}

async function look(): Promise<void> {
  looked = Date.now()
  try {
    const response = await fetch(BASE, { cache: 'no-cache' })
    const [, newest] = (response.ok && BUILD.exec(await response.text())) || []
    if (newest !== undefined && newest !== own) useUpdate.setState({ newer: true })
  } catch {
    // Offline, there is no newer version.
  }
}

/** Absent in some browsers. */
function atRest(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run)
  else run()
}
