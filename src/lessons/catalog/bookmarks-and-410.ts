import type { Lesson } from '../lesson'

const CONFIGS = '/api/v1/namespaces/shop/configmaps'

export const bookmarksAndGone: Lesson = {
  id: 'bookmarks-and-410',
  title: 'Bookmarks, and 410 Gone',
  minutes: 9,
  about:
    'Know why a watch that was away too long has to begin anew, and how bookmarks make that rarer.',
  rules:
    'Watch bookmarks: https://kubernetes.io/docs/reference/using-api/api-concepts/#watch-bookmarks',
  story: `The server remembers the past for about five minutes. A client that was away longer and asks to go on from where it was is told 410: what it missed cannot be told any more.

In this page the past can be forgotten at once: "Compact history" in the search does what the five minutes would do.`,
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
      title: 'Ask for the bookmarks',
      text: 'Start a watch that allows bookmarks. From time to time the server tells it a version up to which nothing is missing, even if nothing changed that it watches: who resumes from there is less often too late.',
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
      title: 'Be too late',
      text: 'Compact the history, then ask for a list of the ConfigMaps exactly as they were at an old version. The server answers 410 Gone: nobody can know any more.',
      hints: [
        'Two parameters ask for the state at exactly one version.',
        'resourceVersion=2 and resourceVersionMatch=Exact, after the history was compacted.',
        `Palette: Compact history. Then fetch('${CONFIGS}?resourceVersion=2&resourceVersionMatch=Exact').`,
      ],
      checks: [
        {
          kind: 'request',
          is: { verb: 'list', resource: 'configmaps', code: 410 },
          says: 'A list of the past was refused with 410.',
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
      title: 'The other form of 410',
      text: 'Now start a watch from the old version. The stream opens, and its first event is an ERROR that carries a Status with code 410: a client has to look for both forms.',
      hints: [
        'A watch from a version that is forgotten.',
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
      title: 'Begin anew',
      text: 'The way out is always the same: list again without a version, and watch from the version of that list. Do so, and let the new watch see apples become 7.',
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
