/** Common game loops before and after their migration to a physics thread. The page is physics-thread/docs/settings.md. */
@NullMarked
package example.migration;

import org.jspecify.annotations.NullMarked;
