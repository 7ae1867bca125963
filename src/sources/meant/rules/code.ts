import type { AddressRule } from '../rule.ts'

const GITHUB = 'https://github.com/{owner}/{repository}'
/** Pages of GitHub itself. */
const NO_GITHUB_USER = [
  ...[
    'about',
    'apps',
    'codespaces',
    'collections',
    'contact',
    'copilot',
    'customer-stories',
    'dashboard',
    'enterprise',
    'events',
  ],
  ...[
    'explore',
    'features',
    'issues',
    'join',
    'login',
    'logout',
    'marketplace',
    'new',
    'notifications',
    'orgs',
    'pricing',
    'pulls',
  ],
  ...[
    'readme',
    'search',
    'security',
    'settings',
    'signup',
    'site',
    'sponsors',
    'stars',
    'team',
    'topics',
    'trending',
    'users',
  ],
]
const GITLAB = 'https://gitlab.com/{group}/{project}'

const github: readonly AddressRule[] = [
  {
    name: 'releases on GitHub',
    match: ['github.com/{owner}/{repository}/releases/**'],
    give: [`${GITHUB}/releases.atom`],
  },
  { name: 'tags on GitHub', match: ['github.com/{owner}/{repository}/tags/**'], give: [`${GITHUB}/tags.atom`] },
  {
    name: 'commits on GitHub',
    match: ['github.com/{owner}/{repository}/commits/{branch}', 'github.com/{owner}/{repository}/tree/{branch}'],
    give: [`${GITHUB}/commits/{branch}.atom`],
  },
  {
    name: 'commits to a file on GitHub',
    match: [
      'github.com/{owner}/{repository}/commits/{branch}/{path...}',
      'github.com/{owner}/{repository}/tree/{branch}/{path...}',
      'github.com/{owner}/{repository}/blob/{branch}/{path...}',
      'github.com/{owner}/{repository}/blame/{branch}/{path...}',
      'raw.githubusercontent.com/{owner}/{repository}/refs/heads/{branch}/{path...}',
      'raw.githubusercontent.com/{owner}/{repository}/{branch}/{path...}',
    ],
    give: [`${GITHUB}/commits/{branch}/{path...}.atom`],
  },
  { name: 'commits on GitHub', match: ['github.com/{owner}/{repository}/commits'], give: [`${GITHUB}/commits.atom`] },
  { name: 'wiki on GitHub', match: ['github.com/{owner}/{repository}/wiki/**'], give: [`${GITHUB}/wiki.atom`] },
  {
    name: 'discussions on GitHub',
    match: ['github.com/{owner}/{repository}/discussions/**'],
    give: [`${GITHUB}/discussions.atom`],
  },
  {
    name: 'GitHub organization',
    match: ['github.com/orgs/{owner:word}/**'],
    give: ['https://github.com/{owner}.atom'],
  },
  {
    name: 'GitHub repository',
    match: ['github.com/{owner}/{repository}/**', 'api.github.com/repos/{owner}/{repository}/**'],
    give: [`${GITHUB}/releases.atom`, `${GITHUB}/commits.atom`, `${GITHUB}/tags.atom`],
    except: NO_GITHUB_USER,
    isChoice: true,
  },
  {
    name: 'GitHub user',
    match: ['github.com/{user:word}'],
    give: ['https://github.com/{user}.atom'],
    except: NO_GITHUB_USER,
  },
  {
    name: 'gists of a user',
    match: ['gist.github.com/{user:word}/**'],
    except: ['discover', 'starred', 'search'],
    give: ['https://gist.github.com/{user}.atom'],
  },
]

const gitlab: readonly AddressRule[] = [
  {
    name: 'releases on GitLab',
    match: ['gitlab.com/{group}/{project}/-/releases/**'],
    give: [`${GITLAB}/-/releases.atom`],
  },
  { name: 'tags on GitLab', match: ['gitlab.com/{group}/{project}/-/tags/**'], give: [`${GITLAB}/-/tags?format=atom`] },
  {
    name: 'commits on GitLab',
    match: ['gitlab.com/{group}/{project}/-/commits/{branch}/**', 'gitlab.com/{group}/{project}/-/tree/{branch}/**'],
    give: [`${GITLAB}/-/commits/{branch}?format=atom`],
  },
  {
    name: 'GitLab project',
    match: ['gitlab.com/{group}/{project}'],
    give: [`${GITLAB}/-/releases.atom`, `${GITLAB}/-/tags?format=atom`, `${GITLAB}.atom`],
    except: ['explore', 'users', 'groups', 'help', 'dashboard'],
    isChoice: true,
  },
  {
    name: 'GitLab user or group',
    match: ['gitlab.com/{name:name}', 'gitlab.com/users/{name:name}/**', 'gitlab.com/groups/{name:name}/**'],
    give: ['https://gitlab.com/{name}.atom'],
    except: ['explore', 'help', 'users', 'groups', 'dashboard'],
  },
]

/** Forges that run the same program. */
const forgejo = ['codeberg.org', 'gitea.com'].flatMap((host): readonly AddressRule[] => {
  const repository = `https://${host}/{owner}/{repository}`
  return [
    {
      name: `releases on ${host}`,
      match: [`${host}/{owner}/{repository}/releases/**`],
      give: [`${repository}/releases.rss`],
    },
    { name: `tags on ${host}`, match: [`${host}/{owner}/{repository}/tags/**`], give: [`${repository}/tags.rss`] },
    {
      name: `commits on ${host}`,
      match: [
        `${host}/{owner}/{repository}/src/branch/{branch}/**`,
        `${host}/{owner}/{repository}/commits/branch/{branch}/**`,
      ],
      give: [`${repository}/rss/branch/{branch}`],
    },
    {
      name: `repository on ${host}`,
      match: [`${host}/{owner}/{repository}/**`],
      give: [`${repository}/releases.rss`, `${repository}.rss`, `${repository}/tags.rss`],
      except: ['explore', 'user'],
      isChoice: true,
    },
    {
      name: `user on ${host}`,
      match: [`${host}/{owner:word}`],
      give: [`https://${host}/{owner}.rss`],
      except: ['explore'],
    },
  ]
})

export const CODE_RULES: readonly AddressRule[] = [
  ...github,
  ...gitlab,
  ...forgejo,
  {
    name: 'repository on sourcehut',
    match: ['git.sr.ht/~{user}/{repository}/**'],
    give: ['https://git.sr.ht/~{user}/{repository}/refs/rss.xml', 'https://git.sr.ht/~{user}/{repository}/log/rss.xml'],
    isChoice: true,
  },
  {
    name: 'PyPI project',
    match: ['pypi.org/project/{project}/**'],
    give: ['https://pypi.org/rss/project/{project}/releases.xml'],
  },
  { name: 'crate', match: ['crates.io/crates/{crate}/**'], give: ['https://static.crates.io/rss/crates/{crate}.xml'] },
  { name: 'Ruby gem', match: ['rubygems.org/gems/{gem}/**'], give: ['https://rubygems.org/gems/{gem}/versions.atom'] },
  {
    name: 'Packagist package',
    match: ['packagist.org/packages/{vendor}/{package}'],
    give: ['https://packagist.org/feeds/package.{vendor}/{package}.rss'],
  },
  {
    name: 'SourceForge project',
    match: ['sourceforge.net/projects/{project}/**', 'sourceforge.net/p/{project}/**'],
    give: ['https://sourceforge.net/projects/{project}/rss?path=/'],
  },
  {
    name: 'Debian package',
    match: ['tracker.debian.org/pkg/{package}/**'],
    give: ['https://tracker.debian.org/pkg/{package}/rss'],
  },
]
