/** Loops as many games have them, and what becomes of them. The page is docs/migration.md. */
@NullMarked
package example.migration;

import org.jspecify.annotations.NullMarked;
