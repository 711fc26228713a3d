import type { Lesson } from '../lesson'

const CONFIGS = '/api/v1/namespaces/shop/configmaps'

export const bookmarksAndGone: Lesson = {
  id: 'bookmarks-and-410',
  title: 'Bookmarks, and 410 Gone',
  minutes: 9,
  about:
    'Understand why a client that was disconnected too long must list again, and how bookmarks help.',
  rules:
    'Watch bookmarks: https://kubernetes.io/docs/reference/using-api/api-concepts/#watch-bookmarks',
  story: `The server keeps history for about five minutes. A client that was disconnected longer and resumes from its last resourceVersion gets 410 Gone: the events it missed are no longer available.

In this page you can compact the history at any time: "Compact history" in the search does what the five minutes would do.`,
  start: {
    objects: `apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: stock
  namespace: shop
data: { apples: "10" }
`,
    files: [],
  },
  steps: [
    {
      title: 'Make some history',
      text: 'Note the version of a list of the ConfigMaps in shop. Then change stock twice: the version you noted is the past now.',
      hints: [
        'List first, change afterwards.',
        'Set apples to 9, then to 8.',
        `GET ${CONFIGS}; then PATCH ${CONFIGS}/stock with {"data":{"apples":"9"}} and again with "8".`,
      ],
      checks: [
        {
          kind: 'request',
          is: { verb: 'list', resource: 'configmaps', namespace: 'shop' },
          says: 'You took a list.',
        },
        {
          kind: 'object',
          path: `${CONFIGS}/stock`,
          is: { data: { apples: '8' } },
          says: 'There are 8 apples.',
        },
      ],
      solution: [
        { method: 'GET', path: CONFIGS },
        {
          method: 'PATCH',
          path: `${CONFIGS}/stock`,
          contentType: 'application/merge-patch+json',
          body: { data: { apples: '9' } },
        },
        {
          method: 'PATCH',
          path: `${CONFIGS}/stock`,
          contentType: 'application/merge-patch+json',
          body: { data: { apples: '8' } },
        },
      ],
    },
    {
      title: 'Request bookmarks',
      text: 'Start a watch that allows bookmarks. Periodically the server sends a resourceVersion up to which all events were sent, even if no watched object changed. A client that resumes from it is less likely to be too late.',
      hints: [
        'The watch panel has a box for it.',
        'The parameter is called allowWatchBookmarks.',
        `GET ${CONFIGS}?watch=1&allowWatchBookmarks=true&resourceVersion=0.`,
      ],
      checks: [
        {
          kind: 'request',
          is: { verb: 'watch', resource: 'configmaps', query: { allowWatchBookmarks: 'true|1' } },
          says: 'You watch with bookmarks.',
        },
      ],
      solution: [
        {
          method: 'GET',
          path: `${CONFIGS}?watch=1&allowWatchBookmarks=true&resourceVersion=0`,
          watch: true,
        },
      ],
    },
    {
      title: 'List at an old revision',
      text: 'Compact the history, then list the ConfigMaps exactly as they were at an old resourceVersion. The server returns 410 Gone: that revision no longer exists.',
      hints: [
        'Two parameters select the state at exactly one revision.',
        'resourceVersion=2 and resourceVersionMatch=Exact, after the history was compacted.',
        `Palette: Compact history. Then fetch('${CONFIGS}?resourceVersion=2&resourceVersionMatch=Exact').`,
      ],
      checks: [
        {
          kind: 'request',
          is: { verb: 'list', resource: 'configmaps', code: 410 },
          says: 'A list at an old revision got 410.',
        },
      ],
      solution: [
        {
          compact: true,
          method: 'GET',
          path: `${CONFIGS}?resourceVersion=2&resourceVersionMatch=Exact`,
          status: 410,
        },
      ],
    },
    {
      title: '410 inside a watch',
      text: 'Now start a watch from the old version. The stream opens, and its first event is an ERROR that carries a Status with code 410: a client has to look for both forms.',
      hints: [
        'A watch from a compacted revision.',
        'Start a watch of ConfigMaps in shop from version 2.',
        `GET ${CONFIGS}?watch=1&resourceVersion=2.`,
      ],
      checks: [
        {
          kind: 'event',
          is: { type: 'ERROR', object: { kind: 'Status', code: 410 } },
          says: 'A watch ended with ERROR and 410.',
        },
      ],
      solution: [{ method: 'GET', path: `${CONFIGS}?watch=1&resourceVersion=2`, watch: true }],
    },
    {
      title: 'List again and resume',
      text: 'The recovery is always the same: list again without a resourceVersion, and watch from the resourceVersion of that list. Do so, and let the new watch see apples become 7.',
      hints: [
        'A fresh list has a fresh version.',
        'List, start a watch from the version of the list, then change stock.',
        'Set apples to 7 while a watch from the newest version is open.',
      ],
      checks: [
        {
          kind: 'event',
          is: { type: 'MODIFIED', object: { metadata: { name: 'stock' }, data: { apples: '7' } } },
          says: 'A watch saw apples become 7.',
        },
      ],
      solution: [
        { method: 'GET', path: CONFIGS },
        {
          method: 'GET',
          path: `${CONFIGS}?watch=1&resourceVersion={{resourceVersion ${CONFIGS}}}`,
          watch: true,
        },
        {
          method: 'PATCH',
          path: `${CONFIGS}/stock`,
          contentType: 'application/merge-patch+json',
          body: { data: { apples: '7' } },
        },
      ],
    },
  ],
  wrong: [
    { method: 'GET', path: CONFIGS },
    {
      method: 'PATCH',
      path: `${CONFIGS}/stock`,
      contentType: 'application/merge-patch+json',
      body: { data: { apples: '8' } },
    },
    { method: 'GET', path: `${CONFIGS}?watch=1&resourceVersion=0`, watch: true },
    // History is not compacted yet: the server sends the old state.
    {
      method: 'GET',
      path: `${CONFIGS}?resourceVersion={{resourceVersion ${CONFIGS}}}&resourceVersionMatch=Exact`,
    },
  ],
  after:
    'Watch with and without bookmarks in two lanes, compact, and resume both from their last version. Which one survives?',
}
