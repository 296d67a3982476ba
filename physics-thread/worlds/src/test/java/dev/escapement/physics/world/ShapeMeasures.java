package dev.escapement.physics.world;

import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.TriangleMesh;
import java.util.Arrays;

public final class ShapeMeasures {

    private ShapeMeasures() {}

    /** Returns the bounding box of a form at a pose of x, y, z and the quaternion x, y, z, w: the least x, y, z, then the greatest. */
    public static double[] bounds(BodyShape.Form form, double... pose) {
        if (form instanceof BodyShape.Sphere sphere) {
            return around(new double[][] {place(pose, 0, 0, 0)}, sphere.radius());
        }
        if (form instanceof BodyShape.Capsule capsule) {
            double half = capsule.halfHeight();
            return around(new double[][] {place(pose, 0, half, 0), place(pose, 0, -half, 0)}, capsule.radius());
        }
        double[][] corners;
        if (form instanceof BodyShape.Box box) {
            corners = new double[8][];
            for (int i = 0; i < 8; i++) {
                int x = (i & 1) == 0 ? 1 : -1;
                int y = (i & 2) == 0 ? 1 : -1;
                int z = (i & 4) == 0 ? 1 : -1;
                corners[i] = place(pose, x * box.halfX(), y * box.halfY(), z * box.halfZ());
            }
        } else {
            float[] c = ((TriangleMesh) form).corners();
            corners = new double[c.length / 3][];
            for (int i = 0; i < corners.length; i++) {
                corners[i] = place(pose, c[3 * i], c[3 * i + 1], c[3 * i + 2]);
            }
        }
        return around(corners, 0);
    }

    private static double[] around(double[][] points, double radius) {
        double[] bounds = new double[6];
        for (int i = 0; i < 3; i++) {
            int axis = i;
            bounds[i] = Arrays.stream(points).mapToDouble(p -> p[axis]).min().orElseThrow() - radius;
            bounds[3 + i] =
                    Arrays.stream(points).mapToDouble(p -> p[axis]).max().orElseThrow() + radius;
        }
        return bounds;
    }

    private static double[] place(double[] pose, double x, double y, double z) {
        double qx = pose[3];
        double qy = pose[4];
        double qz = pose[5];
        double qw = pose[6];
        double tx = 2 * (qy * z - qz * y); // twice the cross product
        double ty = 2 * (qz * x - qx * z);
        double tz = 2 * (qx * y - qy * x);
        return new double[] {
            pose[0] + x + qw * tx + qy * tz - qz * ty,
            pose[1] + y + qw * ty + qz * tx - qx * tz,
            pose[2] + z + qw * tz + qx * ty - qy * tx
        };
    }

    /** Returns the volume within closed meshes; negative if they are inside out. */
    public static double volume(BodyShape.Form form) {
        float[] c = ((TriangleMesh) form).corners();
        double six = 0;
        for (int i = 0; i < c.length; i += 9) {
            six += c[i] * (c[i + 4] * (double) c[i + 8] - c[i + 5] * (double) c[i + 7])
                    + c[i + 1] * (c[i + 5] * (double) c[i + 6] - c[i + 3] * (double) c[i + 8])
                    + c[i + 2] * (c[i + 3] * (double) c[i + 7] - c[i + 4] * (double) c[i + 6]);
        }
        return six / 6;
    }
}
