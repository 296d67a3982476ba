/** Usual game loops, and their migration. The page is docs/migration.md. */
@NullMarked
package example.migration;

import org.jspecify.annotations.NullMarked;
