/** A world on three machines that survives the loss of one. */
@NullMarked
package example.cluster;

import org.jspecify.annotations.NullMarked;
