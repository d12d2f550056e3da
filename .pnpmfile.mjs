// The packages that carry Node state `os` and `cpu` as strings, which pnpm ignores: every platform's
// 50 MB would be fetched. As arrays they are honoured.
export const hooks = {
  readPackage(pkg) {
    if (/^node-(bin-)?(linux|darwin|win)-/.test(pkg.name ?? '')) {
      for (const field of ['os', 'cpu']) {
        if (typeof pkg[field] === 'string') pkg[field] = [pkg[field]];
      }
    }
    return pkg;
  },
};
