/** Physics beside the main thread of a block game's server. */
@NullMarked
package example.host;

import org.jspecify.annotations.NullMarked;
