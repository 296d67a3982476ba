package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.PoseBlock;

/**
 * Moves bodies so that their centres of mass, not their positions, are where blending puts them.
 *
 * <pre>
 *   position += (sum of w(tick) R(tick) o) - R o
 * </pre>
 *
 * o is the offset of the centre from the position in the body's frame, at the current tick. R(tick) are the rotations that were blended, R
 * is the blended rotation, and w(tick) are the weights of the positions.
 *
 * <p>One thread. Allocates nothing.
 */
final class MassCentre {

    // Scratch. Doubles, so that a position is rounded only once, at the end.
    private final double[] position = new double[3];
    private final double[] rotated = new double[3];

    /**
     * Moves a blended body if its centre of mass is not its position; otherwise its pose stays exactly the same.
     *
     * @param i     the body's index within the block
     * @param last  the weight {@code last} of the blended position q + last (q - p) + prior (p - r); alpha - 1 for a body that is blended
     *              from p to q
     * @param prior the weight {@code prior} of the same position; 0 for such a body
     */
    void correct(
            BodyBlock bodies, int i, PoseBlock r, PoseBlock p, PoseBlock q, float last, float prior, PoseBlock out) {
        if (bodies.isOffCentre(i)) {
            ChildBlender.load(out, i, position);
            add(bodies, i, q, 1 + last);
            add(bodies, i, p, prior - last);
            add(bodies, i, r, -prior);
            add(bodies, i, out, -1);
            ChildBlender.store(position, out, i);
        }
    }

    private void add(BodyBlock bodies, int i, PoseBlock rotations, float weight) {
        for (int axis = 0; axis < rotated.length; axis++) {
            rotated[axis] = weight * bodies.centreOfMass(i, axis);
        }
        rotations.rotate(i, 1, rotated);
        for (int axis = 0; axis < position.length; axis++) {
            position[axis] += rotated[axis];
        }
    }
}
