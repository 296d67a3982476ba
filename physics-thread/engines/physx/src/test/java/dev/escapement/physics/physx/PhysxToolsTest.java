package dev.escapement.physics.physx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.world.ExistingWorldToolsContract;
import dev.escapement.physics.world.ShapeMeasures;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.TriangleMesh;
import org.junit.jupiter.api.Test;
import physx.PxTopLevelFunctions;
import physx.common.PxBounds3;
import physx.common.PxQuat;
import physx.common.PxTransform;
import physx.common.PxVec3;
import physx.cooking.PxConvexFlagEnum;
import physx.cooking.PxConvexFlags;
import physx.cooking.PxConvexMeshDesc;
import physx.cooking.PxCookingParams;
import physx.geometry.PxBoxGeometry;
import physx.geometry.PxCapsuleGeometry;
import physx.geometry.PxConvexMesh;
import physx.geometry.PxConvexMeshGeometry;
import physx.geometry.PxGeometry;
import physx.geometry.PxMeshScale;
import physx.geometry.PxSphereGeometry;
import physx.physics.PxRigidActor;
import physx.physics.PxRigidDynamic;
import physx.physics.PxScene;
import physx.physics.PxShape;
import physx.support.PxArray_PxVec3;

class PhysxToolsTest extends ExistingWorldToolsContract<PxScene, PxRigidActor> implements PhysxContractsTest.Worlds {

    private static final float HALF_ROOT = (float) Math.sqrt(0.5);

    @Test
    void shouldReportBoxesBallsAndUprightCapsules() {
        assertThat(form(new PxBoxGeometry(1, 2, 3))).isEqualTo(new BodyShape.Box(1, 2, 3));
        assertThat(form(new PxSphereGeometry(0.7f))).isEqualTo(new BodyShape.Sphere(0.7f));
        PxTransform upright = new PxTransform(new PxVec3(0, 0, 0), new PxQuat(0, 0, HALF_ROOT, HALF_ROOT));
        assertThat(form(upright, new PxCapsuleGeometry(0.3f, 1.5f))).isEqualTo(new BodyShape.Capsule(0.3f, 1.5f));
    }

    @Test
    void shouldReportOthersAsTriangles() {
        assertThat(ShapeMeasures.volume(mesh(new PxCapsuleGeometry(0.5f, 1.5f))))
                .as("along x")
                .isCloseTo(Math.PI * (0.25 * 3 + 4 * 0.125 / 3), within(0.1));
        PxTransform aside = new PxTransform(new PxVec3(2, 1, 0), new PxQuat(0.5f, 0.5f, 0.5f, 0.5f));
        assertThat(ShapeMeasures.volume(form(aside, new PxBoxGeometry(1, 0.5f, 2))))
                .isCloseTo(8, within(1e-4));
        assertThat(ShapeMeasures.volume(mesh(new PxSphereGeometry(0.5f), new PxBoxGeometry(1, 1, 1))))
                .isCloseTo(8 + Math.PI / 6, within(0.05));
    }

    @Test
    void shouldReportNoShapeOfABodyWithoutOne() {
        PxRigidActor bare = ((PhysxGame) game).add(9, 40);
        simulation.attach(bare, 1);
        tick(1);
        assertThat(simulation.shape(simulation.idOf(bare))).isNull();
    }

    @Test
    void shouldReportScaledHulls() {
        PxArray_PxVec3 corners = new PxArray_PxVec3();
        for (float[] c : new float[][] {{0, 0, 0}, {3, 0, 0}, {0, 2, 0}, {0, 0, 1}}) {
            corners.pushBack(new PxVec3(c[0], c[1], c[2]));
        }
        PxConvexMeshDesc hull = new PxConvexMeshDesc();
        hull.setFlags(new PxConvexFlags((short) PxConvexFlagEnum.eCOMPUTE_CONVEX.value));
        hull.getPoints().setStride(PxVec3.SIZEOF);
        hull.getPoints().setCount(corners.size());
        hull.getPoints().setData(corners.begin());
        PxConvexMesh cooked = PxTopLevelFunctions.CreateConvexMesh(
                new PxCookingParams(PhysxGame.physics().getTolerancesScale()), hull);
        assertThat(ShapeMeasures.volume(mesh(new PxConvexMeshGeometry(cooked)))).isCloseTo(1, within(1e-4));
        PxMeshScale scale = new PxMeshScale(new PxVec3(2, 1, 3), new PxQuat(0.5f, 0.5f, 0.5f, 0.5f));
        assertThat(ShapeMeasures.volume(mesh(new PxConvexMeshGeometry(cooked, scale))))
                .isCloseTo(6, within(1e-3));
    }

    private TriangleMesh mesh(PxGeometry... forms) {
        return (TriangleMesh) form(forms);
    }

    private BodyShape.Form form(PxGeometry... forms) {
        return form(new PxTransform(new PxVec3(0, 0, 0), new PxQuat(0, 0, 0, 1)), forms);
    }

    /** Returns the reported form of a body with geometries, after a check of its place against PhysX. */
    private BodyShape.Form form(PxTransform inBody, PxGeometry... forms) {
        PxRigidDynamic body = ((PhysxGame) game).add(3, 40);
        for (PxGeometry form : forms) {
            PxShape shape = PhysxGame.addShape(body, form);
            shape.setLocalPose(inBody);
        }
        BodyShape.Form form = reported(body).form();
        PxBounds3 bounds = body.getWorldBounds(1);
        PxVec3 least = bounds.getMinimum();
        PxVec3 greatest = bounds.getMaximum();
        assertThat(ShapeMeasures.bounds(form, game.pose(body)))
                .containsExactly(
                        new double[] {
                            least.getX(), least.getY(), least.getZ(), greatest.getX(), greatest.getY(), greatest.getZ()
                        },
                        within(0.05));
        return form;
    }
}
