/** A world that outlives its machine. */
@NullMarked
package example.cluster;

import org.jspecify.annotations.NullMarked;
