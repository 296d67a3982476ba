void main() {
    gl_Position = worldToClip * vec4(worldCorner(), 1.0);
}
